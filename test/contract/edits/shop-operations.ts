/** Edits of the shop's operations, who may call them, and where: name, level, whom it breaks, and why. */
import { add, at, take } from "./edit.ts";
import { op, put, type ShopEdit, why } from "./shop.ts";

// biome-ignore format: a table is read by its lines.
export const operationEdits: readonly ShopEdit[] = [
  ["an operation is removed after its sunset header's date", "info", [], why.announced, (s) => take(at(s, "paths", "/carts"), "get")],
  ["an operation is removed before its sunset date", "breaking", ["clients"], "Their calls fail.", (s) => take(at(s, "paths", "/orders/{id}"), "delete")],
  ["an operation is removed without announcement", "breaking", ["clients"], "Their calls fail.", (s) => take(at(s, "paths", "/orders/{id}"), "get")],
  ["a path is removed", "breaking", ["clients"], "Their calls fail.", (s) => take(at(s, "paths"), "/orders")],
  ["a sunset date comes earlier", "breaking", ["clients"], "Whoever planned by the day that was announced has less time.", (s) => put(op(s, "DELETE /orders/{id}"), { "x-sunset": "2026-04-01" })],
  ["a sunset date comes later", "info", [], "It announces, and removes nothing.", (s) => put(op(s, "DELETE /orders/{id}"), { "x-sunset": "2026-12-31" })],
  ["a sunset date is announced", "info", [], "It announces, and removes nothing.", (s) => put(op(s, "GET /orders/{id}"), { deprecated: true, "x-sunset": "2027-01-01" })],
  ["a sunset date is no date", "warning", [], why.unknown, (s) => put(op(s, "GET /orders/{id}"), { deprecated: true, "x-sunset": "next year" })],
  ["an operationId is removed", "breaking", ["generated clients"], "Generated code has it for a name. Calls by the old name no longer compile.", (s) => take(op(s, "GET /orders"), "operationId")],
  ["an operation has another first tag", "info", ["generated clients"], "Nothing on the wire changes. Some generators name classes after the first tag.", (s) => put(op(s, "GET /orders"), { tags: ["carts"] })],
  ["an operation has a further tag", "info", [], "Nothing on the wire changes. Some generators name classes after the first tag.", (s) => put(op(s, "GET /orders"), { tags: ["orders", "carts"] })],
  ["an operation is no longer deprecated", "info", [], "It stays.", (s) => take(op(s, "GET /carts"), "deprecated")],
  ["another scope is asked for", "breaking", ["clients"], why.credentials, (s) => put(op(s, "GET /orders"), { security: [{ oauth: ["carts"] }] })],
  ["one of two ways in is closed", "breaking", ["clients"], why.credentials, (s) => put(op(s, "PUT /carts"), { security: [{ oauth: ["carts"] }] })],
  ["both ways in are asked for at once", "breaking", ["clients"], why.credentials, (s) => put(op(s, "PUT /carts"), { security: [{ oauth: ["carts"], basic: [] }] })],
  ["another way in is opened", "info", [], "Whoever could call still can.", (s) => put(op(s, "GET /orders"), { security: [{ oauth: ["orders"] }, { basic: [] }] })],
  ["an operation needs no credentials", "info", [], "Whoever could call still can.", (s) => put(op(s, "GET /orders"), { security: [{}] })],
  ["the document asks for another scope", "breaking", ["clients"], why.credentials, (s) => put(s, { security: [{ oauth: ["carts"] }] })],
  ["the token comes from elsewhere", "breaking", ["clients"], "The credential is carried otherwise.", (s) => put(at(s, "components", "securitySchemes", "oauth", "flows", "clientCredentials"), { tokenUrl: "https://id.example/token" })],
  ["a scope no longer exists", "breaking", ["clients"], "The credential is carried otherwise.", (s) => take(at(s, "components", "securitySchemes", "oauth", "flows", "clientCredentials", "scopes"), "orders")],
  ["a way to a token is added", "info", [], why.others, (s) => put(at(s, "components", "securitySchemes", "oauth", "flows"), { password: { tokenUrl: "https://shop.example/token", scopes: {} } })],
  ["a scheme is another kind", "breaking", ["clients"], "The credential is carried otherwise.", (s) => put(at(s, "components", "securitySchemes", "basic"), { scheme: "bearer" })],
  ["a region is no longer served", "breaking", ["clients"], "They call an address that is no longer one of this API.", (s) => put(at(s, "servers", "0", "variables", "region"), { enum: ["eu"] })],
  ["a further region is served", "info", [], why.others, (s) => add(at(s, "servers", "0", "variables", "region"), "enum", "asia")],
  ["the default region is another", "breaking", ["generated clients"], "They call the default address unless they are configured.", (s) => put(at(s, "servers", "0", "variables", "region"), { default: "us" })],
  ["an operation gets a server of its own", "info", [], why.others, (s) => put(op(s, "GET /orders"), { servers: [{ url: "https://fast.shop.example" }] })],
  ["a server's address ends in a slash", "none", [], why.nothing, (s) => put(at(s, "servers", "0"), { url: "https://{region}.shop.example/v1/" })],
];
