"""Compile the hot modules: every ``.py`` below src/ that has a ``.pxd`` beside it.

Compilation is all or nothing.  Where one module cannot be built none is installed, and the package
runs uncompiled, with a warning when it is imported: a compiled base class with an uncompiled
subclass would answer wrongly in silence.

    CYVASSE_PURE=1       install no compiled module
    CYVASSE_SANITIZE=1   stop the program at the first out-of-bounds index or undefined behaviour,
                         and compare every undo inside the search with a fresh position
    CYVASSE_REQUIRE_COMPILED=1   fail instead of falling back

The page of the web client is part of the package.  From a checkout it is built here, once; where it
cannot be built everything else is installed, and `cyvasse serve` says how to get it.

    CYVASSE_PAGE=0           do not build the page
    CYVASSE_REQUIRE_PAGE=1   fail instead of going without
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

SOURCE = Path("src")
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # the .pxd alone decides what is a C type
    "infer_types": True,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}
SANITIZERS = "-fsanitize=bounds,undefined"


def flag(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


def hot_modules() -> list[Extension]:
    sanitize = flag("CYVASSE_SANITIZE")
    checked = [SANITIZERS, "-fno-sanitize-recover=all", "-DCYVASSE_CHECKED", "-g", "-O1"]
    flags = checked if sanitize else ["-O3"]
    return [
        Extension(
            ".".join(declarations.relative_to(SOURCE).with_suffix("").parts),
            [str(declarations.with_suffix(".py"))],
            extra_compile_args=flags,
            extra_link_args=[SANITIZERS] if sanitize else [],
        )
        for declarations in sorted(SOURCE.rglob("*.pxd"))
        if declarations.name != "__init__.pxd"
    ]


def cythonized() -> list[Any]:
    if flag("CYVASSE_PURE"):
        return []
    try:
        from Cython.Build import cythonize

        return list(
            cythonize(hot_modules(), compiler_directives=DIRECTIVES, include_path=[str(SOURCE)])
        )
    except Exception as error:
        give_up(error)
        return []


def give_up(error: Exception) -> None:
    if flag("CYVASSE_REQUIRE_COMPILED"):
        raise error
    print(f"cyvasse: not compiled, the package will run slowly: {error}", file=sys.stderr)


class AllOrNothing(build_ext):
    """Keep no compiled module unless every one of them could be built."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            give_up(error)
            for extension in self.extensions:
                for folder in (self.build_lib, str(SOURCE)):
                    name = Path(folder, self.get_ext_filename(extension.name))
                    name.unlink(missing_ok=True)
            self.extensions = []


PAGE = SOURCE / "cyvasse" / "server" / "page" / "index.html"


def build_page() -> None:
    """Build the page, unless it is there: a source distribution brings it along."""
    script = Path("web", "build.py")
    if PAGE.exists() or os.environ.get("CYVASSE_PAGE") == "0" or not script.exists():
        return
    done = subprocess.run([sys.executable, str(script)], check=False).returncode == 0
    if not done and flag("CYVASSE_REQUIRE_PAGE"):
        raise RuntimeError("the page could not be built")


class WithPage(build_py):
    """Install the page too."""

    def run(self) -> None:
        if not self.editable_mode:  # whoever edits the page builds it with `make page`
            build_page()
        super().run()


class SourcesWithPage(sdist):
    """Whoever installs from the sources needs no Node."""

    def run(self) -> None:
        build_page()
        super().run()


setup(
    ext_modules=cythonized(),
    cmdclass={"build_ext": AllOrNothing, "build_py": WithPage, "sdist": SourcesWithPage},
)
