-- AlterTable
ALTER TABLE "ExternalLogin" ADD COLUMN     "issuer" TEXT;

-- Accounts made so far belong to the provider that their scheme names now, without one to nobody.
UPDATE "ExternalLogin" SET "issuer" = COALESCE((SELECT "issuer" FROM "IdentityProvider" WHERE "IdentityProvider"."scheme" = "ExternalLogin"."scheme"), '');

-- AlterTable
ALTER TABLE "ExternalLogin" ALTER COLUMN "issuer" SET NOT NULL,
DROP CONSTRAINT "ExternalLogin_pkey",
ADD CONSTRAINT "ExternalLogin_pkey" PRIMARY KEY ("scheme", "issuer", "externalSubject");

-- AlterTable
ALTER TABLE "PartialSignIn" ADD COLUMN     "authenticatedAt" TIMESTAMP(3);
