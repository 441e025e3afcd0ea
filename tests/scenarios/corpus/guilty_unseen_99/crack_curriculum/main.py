# gradwatch-corpus: kind=graph-held
# holder: bank.items | self.items | loop.bank.items | self.bank.items | bank
# first-bad: 3
# notice: 8
"""Surface-crack segmentation on synthetic plates, with a gallery of the most confusing crops."""
import torch

from gallery import ConfusionGallery
from plates import plate_batches
from segnet import TinySegNet
from loop import SegLoop


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    bank = ConfusionGallery(every=3)
    loop = SegLoop(TinySegNet(), bank, lr=4e-3)
    for i, (img, mask) in enumerate(plate_batches(n_batches=240, batch=4, size=20)):
        out = loop.train_on(i, img, mask)
        if i % 40 == 0:
            print(f"{i:3d} bce={out['bce']:.4f} iou={out['iou']:.3f} kept={len(bank)}")
    print("hardest crops:")
    for row in bank.worst(5):
        print("  iteration %d  score %.4f  mean map %.3f" % row)


if __name__ == "__main__":
    main()
