-- AlterTable
ALTER TABLE "SubjectPreference" ADD COLUMN "deviceMailsFrom" DATETIME;

-- The browsers of earlier users become known for 30 days, so that the upgrade causes no mails about them
INSERT INTO "SubjectPreference" ("subject", "refusesPasskeys", "deviceMailsFrom")
SELECT "subject", false, strftime('%Y-%m-%dT%H:%M:%f', 'now', '+30 days') || '+00:00' FROM "User" WHERE true
ON CONFLICT ("subject") DO UPDATE SET "deviceMailsFrom" = excluded."deviceMailsFrom";
