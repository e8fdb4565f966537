-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_PartialSignIn" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "browser" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "idp" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "authenticatedAt" DATETIME,
    "sealedPending" TEXT,
    "provenHash" TEXT,
    "sealedDetails" TEXT,
    "remember" BOOLEAN NOT NULL,
    "expiresAt" DATETIME NOT NULL
);
INSERT INTO "new_PartialSignIn" ("amr", "authenticatedAt", "browser", "digest", "expiresAt", "idp", "provenHash", "remember", "sealedPending", "subject") SELECT "amr", "authenticatedAt", "browser", "digest", "expiresAt", "idp", "provenHash", "remember", "sealedPending", "subject" FROM "PartialSignIn";
DROP TABLE "PartialSignIn";
ALTER TABLE "new_PartialSignIn" RENAME TO "PartialSignIn";
CREATE INDEX "PartialSignIn_expiresAt_idx" ON "PartialSignIn"("expiresAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
