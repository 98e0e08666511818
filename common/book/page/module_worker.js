// Gets our solutions, compiled, and then questions, one after another.

import make from "./course_module.js";

onmessage = async ({ data: compiled }) => {
  const module = await make({ instantiateWasm: (imports, use) => void WebAssembly.instantiate(compiled, imports).then(use) || {} });
  onmessage = ({ data: question }) => postMessage(module.ccall("answer", "string", ["string"], [question]));
  postMessage("ready");
};
