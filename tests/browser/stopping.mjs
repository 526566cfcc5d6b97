// node stopping.mjs BUILD: stops a search that has no end, from another thread.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const SIGINT = 2;

if (isMainThread) {
    const signals = new Uint8Array(new SharedArrayBuffer(1));
    const build = resolve(process.argv[2]);
    const worker = new Worker(new URL(import.meta.url), { workerData: { signals, build } });
    worker.on("message", (told) => {
        if (told !== "thinking") console.log(told);
        signals[0] = SIGINT;
    });
} else {
    const { signals, build } = workerData;
    const { loadPyodide } = await import(pathToFileURL(resolve(build, "runtime/pyodide.mjs")));
    const python = await loadPyodide();
    const zip = new Uint8Array(readFileSync(resolve(build, "cyvasse.zip")));
    python.unpackArchive(zip, "zip", { extractDir: "/package" });
    python.setInterruptBuffer(signals);
    python.globals.set("say", (word) => parentPort.postMessage(word));
    python.runPython(`
import sys
sys.path.insert(0, "/package")
import cyvasse
position = cyvasse.rule_set("croft").random_position(3, 20)
try:
    for thought in cyvasse.Engine(seed=1).analyse(position, nodes=10**12):
        if thought.depth == 3:
            say("thinking")
    say("came to an end")
except KeyboardInterrupt:
    say("stopped")
`);
}
