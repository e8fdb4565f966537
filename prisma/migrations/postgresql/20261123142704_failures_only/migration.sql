-- AlterTable
ALTER TABLE "RateLimitCounter" DROP COLUMN "inFlight";
