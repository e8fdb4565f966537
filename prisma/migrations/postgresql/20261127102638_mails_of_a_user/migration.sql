-- AlterTable
ALTER TABLE "Delivery" ADD COLUMN     "detail" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "Delivery_target_id_idx" ON "Delivery"("target", "id");
