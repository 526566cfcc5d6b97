import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    // Nothing of Svelte 4, not even for components without a rune.
    runes: true,
    // Shorter than Svelte's own: these classes stand at every element that has a style.
    cssHash: ({ hash, css }) => `s${hash(css)}`,
  },
};
