-- A sign-in that is interrupted during the upgrade begins again: its state has another form from now on
DELETE FROM "PartialSignIn";

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_PartialSignIn" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "browser" TEXT NOT NULL,
    "subject" TEXT,
    "idp" TEXT NOT NULL,
    "sealedPending" TEXT,
    "sealedDetails" TEXT NOT NULL,
    "remember" BOOLEAN NOT NULL,
    "expiresAt" DATETIME NOT NULL
);
INSERT INTO "new_PartialSignIn" ("browser", "digest", "expiresAt", "idp", "remember", "sealedDetails", "sealedPending", "subject") SELECT "browser", "digest", "expiresAt", "idp", "remember", "sealedDetails", "sealedPending", "subject" FROM "PartialSignIn";
DROP TABLE "PartialSignIn";
ALTER TABLE "new_PartialSignIn" RENAME TO "PartialSignIn";
CREATE INDEX "PartialSignIn_expiresAt_idx" ON "PartialSignIn"("expiresAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
