import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The rules pages (rules.py) are content: the script knows where they are, and not what they say. */
function rules(): Plugin {
  let building = false;
  return {
    name: "rules",
    enforce: "pre",
    configResolved({ command }) {
      building = command === "build";
    },
    load(id) {
      const [file = "", query] = id.split("?");
      if (dirname(file) !== join(root, "build", "rules") || query !== "url") return null;
      const kept = (name: string, source: string): string =>
        `/${this.getFileName(this.emitFile({ type: "asset", name, source }))}`;
      const picture = (path: string): string => {
        const found = join(root, "docs", "rules", path);
        return building ? kept(basename(path), readFileSync(found, "utf-8")) : `/@fs${found}`;
      };
      const page = JSON.parse(readFileSync(file, "utf-8"));
      const html = page.html.replace(/(?<=<img src=")[^"]+/g, picture);
      const text = JSON.stringify({ ...page, html });
      const address = building
        ? kept(basename(file), text)
        : `data:application/json,${encodeURIComponent(text)}`;
      return `export default ${JSON.stringify(address)}`;
    },
  };
}

/** Compressed forms beside every file: better than a server has time for at each request. */
function packed(): Plugin {
  let folder = "";
  return {
    name: "packed",
    apply: "build",
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: "utf-8" });
      for (const name of files.filter((each) => /\.svg$|^assets.*\.(js|css|json)$/.test(each))) {
        const file = join(folder, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte(), svelteTesting(), rules(), packed()],
  // The page is part of the Python package; the drawings come from there too.
  build: {
    outDir: "../src/cyvasse/server/page",
    emptyOutDir: true,
    target: "es2022",
    // Which file holds which screen: the server names the right one in the page.
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files: each costs a journey, and screens share most of what they are made of.
        codeSplitting: {
          groups: [
            { name: "main", test: /src\/(main\.ts$|lib\/)|^\0rolldown/, priority: 4 },
            { name: "game", test: /src\/game\/GameScreen/, priority: 3 },
            { name: "setup", test: /src\/setup\/SetupScreen/, priority: 2 },
            { name: "screens", test: /src\/screens\/\w+\.svelte$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    fs: { allow: [root] },
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"] },
});
