import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  // The page is part of the Python package; the drawings come from there too.
  build: {
    outDir: "../src/cyvasse/server/page",
    emptyOutDir: true,
    target: "es2022",
  },
  server: {
    fs: { allow: [root] },
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"] },
});
