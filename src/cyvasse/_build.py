"""Whether the package was compiled: all of its hot modules, or none of them."""

import sys
import warnings
from pathlib import Path

from cyvasse.errors import UncompiledWarning


def is_compiled() -> bool:
    """True if every hot module is compiled, False if none is.

    A mixture, left over from a broken build, would answer wrongly in silence: it is an error.
    """
    package = Path(__file__).parent
    hot = [
        ".".join(("cyvasse", *path.relative_to(package).with_suffix("").parts))
        for path in package.rglob("*.pxd")
    ]
    kinds = {not str(sys.modules[name].__file__).endswith(".py") for name in hot}
    if len(kinds) > 1:
        raise ImportError("cyvasse is compiled only in part; install it again")
    return True in kinds


def warn_if_slow(compiled: bool) -> None:
    """Tell once, when the package is imported, that it runs as plain Python."""
    if not compiled:
        warnings.warn(
            "cyvasse runs uncompiled: everything works, but about a hundred times slower; "
            "install it where there is a C compiler to change that",
            UncompiledWarning,
            stacklevel=3,
        )
