# In C itself, for what it alone has: whole numbers of 128 bits and the processor's instructions for
# counting and finding bits.  GCC uses the one for counting only where it is told that there is one;
# every x86-64 processor since 2008 has it.
cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    #pragma GCC target("popcnt")
    #endif

    typedef unsigned __int128 cyvasse_area;

    static inline int cyvasse_size(cyvasse_area squares) {
        return __builtin_popcountll((unsigned long long) squares)
               + __builtin_popcountll((unsigned long long) (squares >> 64));
    }

    static inline int cyvasse_lowest(cyvasse_area squares) {
        unsigned long long low = (unsigned long long) squares;
        return low ? __builtin_ctzll(low)
                   : 64 + __builtin_ctzll((unsigned long long) (squares >> 64));
    }

    static inline int cyvasse_highest(cyvasse_area squares) {
        unsigned long long high = (unsigned long long) (squares >> 64);
        return high ? 127 - __builtin_clzll(high)
                    : 63 - __builtin_clzll((unsigned long long) squares);
    }
    """
    # Wider than Cython believes; it only passes them on.
    ctypedef unsigned long long area "cyvasse_area"
    int size "cyvasse_size"(area squares) noexcept nogil
    int lowest "cyvasse_lowest"(area squares) noexcept nogil
    int highest "cyvasse_highest"(area squares) noexcept nogil
