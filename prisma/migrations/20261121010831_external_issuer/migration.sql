-- AlterTable
ALTER TABLE "PartialSignIn" ADD COLUMN "authenticatedAt" DATETIME;

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_ExternalLogin" (
    "scheme" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "externalSubject" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("scheme", "issuer", "externalSubject"),
    CONSTRAINT "ExternalLogin_subject_fkey" FOREIGN KEY ("subject") REFERENCES "User" ("subject") ON DELETE CASCADE ON UPDATE CASCADE
);
-- Accounts made so far belong to the provider that their scheme names now, without one to nobody.
INSERT INTO "new_ExternalLogin" ("createdAt", "externalSubject", "issuer", "scheme", "subject")
SELECT "createdAt", "externalSubject", COALESCE((SELECT "issuer" FROM "IdentityProvider" WHERE "IdentityProvider"."scheme" = "ExternalLogin"."scheme"), ''), "scheme", "subject" FROM "ExternalLogin";
DROP TABLE "ExternalLogin";
ALTER TABLE "new_ExternalLogin" RENAME TO "ExternalLogin";
CREATE INDEX "ExternalLogin_subject_idx" ON "ExternalLogin"("subject");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
