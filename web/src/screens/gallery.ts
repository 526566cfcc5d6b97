// The pictures of the rules: files of their own, each fetched when it comes into view.
import sizes from "../../../docs/rules/images/sizes.json";
import type { Picture } from "./markdown";

const files = import.meta.glob<string>("../../../docs/rules/images/*.svg", {
  query: "?url&no-inline",
  import: "default",
  eager: true,
});

const room: Record<string, number[]> = sizes;

/** The picture at a path as the texts write it. */
export function gallery(path: string): Picture | null {
  const src = files[`../../../docs/rules/${path}`];
  const [width, height] = room[path.replace(/^images\//, "")] ?? [];
  return src && width && height ? { src, width, height } : null;
}
