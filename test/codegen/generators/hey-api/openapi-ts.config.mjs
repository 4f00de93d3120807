/** Node resolves no import without a file extension. The generated client has such imports unless this is set. */
export default { input: "openapi.json", output: { path: "client", module: { extension: ".js" } } };
