// JSON schemas from the input, by name, as TypeScript.  `make wire` runs this.
import { readFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const schemas = JSON.parse(readFileSync(0, "utf-8"));
const names = Object.keys(schemas).sort();
const root = {
  title: "Wire",
  description: "Every type of the wire by its name.",
  properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
  required: names,
  $defs: schemas,
};
const made = await compile(root, "Wire", {
  additionalProperties: false,
  bannerComment: "",
  style: { printWidth: 100 },
});
// The root is there only so that all others are.
process.stdout.write(made.replace(/\/\*\*[^/]*\*\/\nexport interface Wire {[^}]*}\n/, ""));
