"""Build the package for Pyodide, the Python in the browser: `make browser`, into build/browser.

    python web/package.py                    what `make browser` does
    python web/package.py FOLDER [TOOLS]     into another folder, and with other tools

    cyvasse.zip      the package, its hot modules compiled to WebAssembly
    runtime/         Pyodide, from npm
    licences/        whose work that is
    manifest.json    whether it is compiled, and if not why; versions; size and hash of each file

What is compiled are the C files that `make build` leaves beside the hot modules.  Zig, from PyPI,
brings a clang that knows WebAssembly, so that nobody needs Emscripten.  The modules keep to
Python's limited API, so that the headers of the Python that runs this will do, of any version.

Compilation is all or nothing, as in setup.py.  Where it is not possible the package goes as plain
Python: the same answers, later.  What has not changed is not made again.

    CYVASSE_PURE=1               compile nothing
    CYVASSE_REQUIRE_COMPILED=1   fail where it would fall back to plain Python
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from build import Npm

# The versions, and nowhere else.  Pyodide 0.29 is Python 3.13; the majors from 314 on are 3.14.
PYODIDE = "0.29.5"
PYODIDE_SHA256 = "6749b10ee515a1458ecea36d860c8ce2a48366e85b3f92d749ad1840e4aff181"
ZIG = "0.17.0"

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "cyvasse"
BUILT = ROOT / "build" / "browser"
TOOLS = ROOT / "build" / "wasm"
"""Zig, Pyodide as it was packed, and what was compiled."""
WASM = Path(__file__).with_name("wasm")

# Nothing of these runs in a browser.
LEFT_OUT = {"__main__.py", "cli", "mail", "server", "terminal", "testing"}
DATA = {".py", ".pxd", ".json", ".svg", ".txt"}
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"

COMPILE = (
    *("cc", "-c", "-O2", "-w", "-fPIC", "-DNDEBUG", "-target", "wasm32-wasi-musl"),
    # What the oldest browsers that can run Pyodide have.
    "-mcpu=mvp+bulk_memory+sign_ext+mutable_globals+nontrapping_fptoint",
    *("-DPy_LIMITED_API=0x030B0000", "-DCYTHON_LIMITED_API=1"),
    "-D_WASI_EMULATED_SIGNAL",
)
# Whatever a module does not have it finds in Pyodide, when it is loaded.
LINK = ("wasm-ld", "-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "-s")
SUFFIX = ".abi3.so"


class NotCompiledError(Exception):
    """Why the package goes as plain Python."""


def main(words: list[str]) -> None:
    """Build it, and say which way it went."""
    manifest = build(*map(Path, words))
    megabytes = sum(file["bytes"] for file in manifest["files"].values()) / 1e6
    way = "compiled" if manifest["compiled"] else f"not compiled, since {manifest['why']}"
    print(f"the package for the browser: {way}; {megabytes:.1f} MB with Pyodide {PYODIDE}")


def build(into: Path = BUILT, tools: Path = TOOLS) -> dict[str, Any]:
    """Make whatever of it is not there yet; the manifest."""
    tools.mkdir(parents=True, exist_ok=True)
    runtime = dict(runtime_files(tools))
    modules: dict[str, bytes] = {}
    why = ""
    try:
        modules = compiled(c_files(), tools)
    except NotCompiledError as reason:
        if flag("CYVASSE_REQUIRE_COMPILED"):
            raise
        why = str(reason)
    lock = json.loads(runtime[f"runtime/{LOCK}"])
    versions = {"cyvasse": version(), "pyodide": PYODIDE, "python": lock["info"]["python"]}
    files = {"cyvasse.zip": zipped({**sources(), **modules}), **runtime, **licences(versions)}
    manifest = {
        "compiled": bool(modules),
        "why": why,
        **versions,
        "files": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in sorted(files.items())
        },
    }
    keep(into, {**files, "manifest.json": json.dumps(manifest, indent=2).encode()})
    return manifest


# --- the package ----------------------------------------------------------------------------------


def sources() -> dict[str, bytes]:
    """The files of the package by their names in the zip."""
    return {
        path.relative_to(PACKAGE.parent).as_posix(): path.read_bytes()
        for path in sorted(PACKAGE.rglob("*"))
        if path.suffix in DATA and path.relative_to(PACKAGE).parts[0] not in LEFT_OUT
    }


def version() -> str:
    """The package's version, which is read and not imported."""
    for line in (PACKAGE / "__init__.py").read_text().splitlines():
        if line.startswith("__version__ = "):
            return str(ast.literal_eval(line.partition(" = ")[2]))
    raise ValueError("cyvasse/__init__.py has no __version__")


def c_files() -> dict[str, Path]:
    """What Cython made of each hot module of the browser's package, by the module's path."""
    hot = [Path(name) for name in sources() if name.endswith(".pxd")]
    files = {
        name.with_suffix("").as_posix(): PACKAGE.parent / name.with_suffix(".c")
        for name in hot
        if name.name != "__init__.pxd"
    }
    missing = [file.name for file in files.values() if not file.exists()]
    if missing:
        raise NotCompiledError(f"there is no {missing[0]} (make build)")
    return files


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The same zip for the same files, whenever it is made."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def keep(folder: Path, files: Mapping[str, bytes]) -> None:
    """Have these files in a folder, and no others; what is the same is not written again."""
    for name, content in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for path in folder.rglob("*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()


# --- compiling ------------------------------------------------------------------------------------


def compiled(files: Mapping[str, Path], tools: Path) -> dict[str, bytes]:
    """The modules as WebAssembly, by their names in the zip."""
    if flag("CYVASSE_PURE"):
        raise NotCompiledError("CYVASSE_PURE is set")
    headers = header_files()
    recipe = hashlib.sha256(repr((ZIG, COMPILE, LINK, sys.version_info)).encode())
    for header in sorted(WASM.glob("*.h")):
        recipe.update(header.read_bytes())
    cache = tools / "modules"
    cache.mkdir(exist_ok=True)
    kept = {
        module: cache / f"{digest(recipe, file)}-{file.stem}.wasm" for module, file in files.items()
    }
    wanted = [(files[module], target) for module, target in kept.items() if not target.exists()]
    if wanted:
        zig = zig_program(tools)
        with tempfile.TemporaryDirectory() as work:
            shutil.copytree(headers, Path(work, "include"))
            shutil.copy(WASM / "pyconfig.h", Path(work, "include"))
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                # All of them, so that an error comes out of here and not out of a thread.
                list(pool.map(lambda each: compile_one(zig, Path(work), *each), wanted))
    for path in set(cache.iterdir()) - set(kept.values()):
        path.unlink()
    return {f"{module}{SUFFIX}": target.read_bytes() for module, target in kept.items()}


def digest(recipe: Any, file: Path) -> str:
    """What a compiled module hangs on, in short."""
    hashed = recipe.copy()
    hashed.update(file.read_bytes())
    return str(hashed.hexdigest()[:16])


def compile_one(zig: Path, work: Path, file: Path, target: Path) -> None:
    """One C file as a library that Pyodide can load."""
    there = Path(tempfile.mkdtemp(dir=work))  # there is more than one position.c
    compiling, linked = there / "module.o", there / "module.wasm"
    include = ("-I", work / "include", "-include", WASM / "clock.h")
    run(zig, *COMPILE, *include, file, "-o", compiling, cache=work)
    run(zig, *LINK, f"--export=PyInit_{file.stem}", compiling, "-o", linked, cache=work)
    shutil.move(linked, target)


def run(*words: str | Path, cache: Path) -> None:
    """Run Zig; what it complains of is the reason why nothing is compiled."""
    environment = {
        **os.environ,
        "ZIG_GLOBAL_CACHE_DIR": str(cache / "cache"),
        "ZIG_LOCAL_CACHE_DIR": str(cache / "cache"),
    }
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        raise NotCompiledError(f"Zig fails: {(done.stderr.splitlines() or ['no word'])[0]}")


def header_files() -> Path:
    """CPython's headers on this machine."""
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").exists():
        raise NotCompiledError("this Python came without its headers")
    return headers


def zig_program(tools: Path) -> Path:
    """Zig, which is taken from PyPI the first time."""
    folder = tools / f"zig-{ZIG}"
    program = folder / "ziglang" / ("zig.exe" if os.name == "nt" else "zig")
    if not program.exists():
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", f"ziglang=={ZIG}")
        words = [*pip, "--target", str(folder)]
        told = subprocess.run(words, capture_output=True, text=True, check=False)
        if told.returncode or not program.exists():
            print(told.stderr, file=sys.stderr)
            raise NotCompiledError(f"Zig {ZIG} cannot be installed")
    return program


# --- the runtime ----------------------------------------------------------------------------------


def runtime_files(tools: Path) -> Iterator[tuple[str, bytes]]:
    """Pyodide's files by their names in the build, from npm the first time."""
    archive = tools / f"pyodide-{PYODIDE}.tgz"
    if not archive.exists():
        Npm().run("pack", "--silent", "--pack-destination", str(tools), f"pyodide@{PYODIDE}")
    content = archive.read_bytes()
    if hashlib.sha256(content).hexdigest() != PYODIDE_SHA256:
        archive.unlink()
        raise OSError(f"Pyodide {PYODIDE} from npm is not what it was")
    with tarfile.open(fileobj=io.BytesIO(content)) as packed:
        for name in (*RUNTIME, LOCK):
            file = packed.extractfile(f"package/{name}")
            assert file is not None
            yield f"runtime/{name}", without_packages(file.read()) if name == LOCK else file.read()


def licences(versions: Mapping[str, str]) -> dict[str, bytes]:
    """Whose work the runtime is, by name in the build."""
    folder = WASM / "licences"
    notice = (folder / "notice.txt").read_text().format(**versions)
    return {
        "licences/notice.txt": notice.encode(),
        "licences/python.txt": (folder / "python.txt").read_bytes(),
    }


def without_packages(lock: bytes) -> bytes:
    """Pyodide's list of what it may fetch from elsewhere, emptied: nothing is fetched."""
    return json.dumps({**json.loads(lock), "packages": {}}).encode()


def flag(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, NotCompiledError, subprocess.CalledProcessError) as error:
        sys.exit(f"the package for the browser could not be built: {error}")
