/** What is answered where there is nothing: 404 for a path, 405 for a method that a path does not have. */
import type { RequestHandler } from "express";
import { HttpError } from "./errors.ts";

/** The error for a path that does not exist. */
export function nothingHere(): HttpError {
  return new HttpError(404, "There is nothing at this path; GET /docs tells what there is.");
}

/** The methods of a path as the header `Allow` lists them: HEAD goes wherever GET does. */
export function allowedMethods(methods: string): string {
  return methods.replace(/\bGET\b/, "GET, HEAD");
}

/** The error for a method that the path does not have. @param allow the methods that it has */
export function methodNotAllowed(allow: string): HttpError {
  return new HttpError(405, `The method must be one of ${allow}.`, { headers: { allow } });
}

/** Stands behind the last route. */
export const noSuchPath: RequestHandler = () => {
  throw nothingHere();
};

/** Stands behind the GET of a path that has nothing else. */
export const getOnly: RequestHandler = () => {
  throw methodNotAllowed(allowedMethods("GET"));
};
