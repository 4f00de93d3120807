/** Serves the docs page as the service does at `/docs`, for reading and for looking at a change of the contract. */
import { fileURLToPath } from "node:url";
import express from "express";
import { documents } from "../server/http/documents.ts";
import { listen } from "../server/http/listen.ts";

const server = await listen(express().use(await documents()), { port: Number(process.env.PORT || 0) });
console.log(`The page is one file, ${fileURLToPath(new URL("../generated/docs.html", import.meta.url))}`);
console.log(`and is served at ${server.url}/docs until you press Ctrl-C.`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
