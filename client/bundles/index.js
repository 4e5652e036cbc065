// Stands for @inlang/sdk, of which paraglide's compiler takes this one function; the package itself brings a database
// with two thirds of all files that an installation unpacks. Here a project's `db` is what the function returns.
export const selectBundleNested = (db) => db;
