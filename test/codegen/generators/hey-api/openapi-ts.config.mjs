/** Node resolves no imports without a file extension, which the client has unless it is told. */
export default { input: "openapi.json", output: { path: "client", module: { extension: ".js" } } };
