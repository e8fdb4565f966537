-- AlterTable
ALTER TABLE "SubjectPreference" ADD COLUMN     "deviceMailsFrom" TIMESTAMP(3);

-- The browsers of earlier users become known for 30 days, so that the upgrade causes no mails about them
INSERT INTO "SubjectPreference" ("subject", "refusesPasskeys", "deviceMailsFrom")
SELECT "subject", false, now() AT TIME ZONE 'UTC' + interval '30 days' FROM "User" WHERE true
ON CONFLICT ("subject") DO UPDATE SET "deviceMailsFrom" = excluded."deviceMailsFrom";
