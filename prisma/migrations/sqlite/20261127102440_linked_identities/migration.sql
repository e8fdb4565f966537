-- AlterTable
ALTER TABLE "ExternalLogin" ADD COLUMN "label" TEXT;

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_IdentityProvider" (
    "scheme" TEXT NOT NULL PRIMARY KEY,
    "displayName" TEXT NOT NULL,
    "preset" TEXT NOT NULL DEFAULT 'openid_connect',
    "presetValues" TEXT NOT NULL DEFAULT '{}',
    "issuer" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "clientSecret" TEXT,
    "scope" TEXT NOT NULL DEFAULT 'openid profile email',
    "domains" TEXT NOT NULL,
    "reauthentication" TEXT NOT NULL DEFAULT 'prompt',
    "signOutAtProvider" BOOLEAN NOT NULL DEFAULT false,
    "hidden" BOOLEAN NOT NULL DEFAULT false,
    "secondFactorValues" TEXT NOT NULL DEFAULT '[]',
    "trustsEmail" BOOLEAN NOT NULL DEFAULT false,
    "enabled" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);
INSERT INTO "new_IdentityProvider" ("clientId", "clientSecret", "createdAt", "displayName", "domains", "enabled", "hidden", "issuer", "position", "preset", "presetValues", "reauthentication", "scheme", "scope", "secondFactorValues", "signOutAtProvider", "updatedAt", "version") SELECT "clientId", "clientSecret", "createdAt", "displayName", "domains", "enabled", "hidden", "issuer", "position", "preset", "presetValues", "reauthentication", "scheme", "scope", "secondFactorValues", "signOutAtProvider", "updatedAt", "version" FROM "IdentityProvider";
DROP TABLE "IdentityProvider";
ALTER TABLE "new_IdentityProvider" RENAME TO "IdentityProvider";
CREATE INDEX "IdentityProvider_position_idx" ON "IdentityProvider"("position");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
