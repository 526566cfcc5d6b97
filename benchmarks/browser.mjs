// node browser.mjs BUILD ROOT: measures in Pyodide what each line of stdin asks for.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [build, root] = process.argv.slice(2);

/** Seconds of CPU time of this process, since it was asked for the last time. */
let spent = process.cpuUsage();
function seconds() {
    const { user, system } = process.cpuUsage(spent);
    spent = process.cpuUsage();
    return (user + system) / 1e6;
}

const { loadPyodide } = await import(pathToFileURL(resolve(build, "runtime/pyodide.mjs")));
const python = await loadPyodide();
const loading = seconds();
const zip = new Uint8Array(readFileSync(resolve(build, "cyvasse.zip")));
python.unpackArchive(zip, "zip", { extractDir: "/package" });
python.FS.mkdirTree("/checkout");
python.mountNodeFS("/checkout", resolve(root));
python.runPython(`
import sys, warnings
warnings.simplefilter("ignore")
sys.dont_write_bytecode = True
sys.path[:0] = ["/package", "/checkout/benchmarks"]
import cyvasse
`);
console.log(JSON.stringify([loading, seconds()]));
const work = python.runPython("import browser; browser.work");
for await (const line of createInterface({ input: process.stdin })) {
    seconds();
    const done = work(line);
    console.log(seconds() / done);
}
