/* What CPython's headers want to know of the machine: WebAssembly with 32 bits.  It takes the place
   of the pyconfig.h of the machine that compiles; the limited API needs no more than this. */
#define ALIGNOF_LONG 4
#define ALIGNOF_SIZE_T 4
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_SIZE_T 4
#define SIZEOF_VOID_P 4
#define SIZEOF_UINTPTR_T 4
#define SIZEOF_WCHAR_T 4
#define SIZEOF_OFF_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_PTHREAD_T 4
