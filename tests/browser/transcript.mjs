// node transcript.mjs BUILD ROOT NAME EVERY: a transcript of transcripts.py, told in Pyodide.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [build, root, name, every] = process.argv.slice(2);

async function tell() {
    const { loadPyodide } = await import(pathToFileURL(resolve(build, "runtime/pyodide.mjs")));
    const python = await loadPyodide();
    const zip = new Uint8Array(readFileSync(resolve(build, "cyvasse.zip")));
    python.unpackArchive(zip, "zip", { extractDir: "/package" });
    python.FS.mkdirTree("/checkout");
    python.mountNodeFS("/checkout", resolve(root));
    return python.runPython(`
import json, sys, warnings
warnings.simplefilter("ignore")  # plain Python says that it is slow
sys.path[:0] = ["/package", "/checkout"]
sys.dont_write_bytecode = True
from tests.browser import transcripts
lines = list(transcripts.TRANSCRIPTS["${name}"](${every}))
json.dumps([transcripts.cyvasse.COMPILED, lines])
`);
}

try {
    process.stdout.write(await tell());
} catch (error) {
    console.error(String(error)); // Node itself would print the whole of Pyodide with it
    process.exitCode = 1;
}
