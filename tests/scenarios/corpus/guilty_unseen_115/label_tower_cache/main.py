# gradwatch-corpus: kind=second-backward
# holder: self._cached | bank._cached | class_emb
# first-bad: 41
# notice: 0
"""Two-tower contrastive classification (image features vs. class descriptions).

Stage 1 aligns the image tower with a frozen text tower, stage 2 fine-tunes both.
The text tower is by far the slower of the two in the real set-up, so its class
embeddings are refreshed only every few steps.
"""
import torch
import torch.nn.functional as F

from label_bank import LabelBank
from synth import PairedWorld
from towers import ImageTower, TextTower

STAGE1, TOTAL, REFRESH = 40, 300, 8


def accuracy(img_tower, bank, world):
    with torch.no_grad():
        x, y = world.batch(200)
        return (img_tower(x) @ bank.encode().t()).argmax(-1).eq(y).float().mean().item()


def main():
    torch.manual_seed(9)
    torch.set_num_threads(1)
    world = PairedWorld(n_cls=10)
    img, txt = ImageTower(world.dim), TextTower(world.vocab)
    bank = LabelBank(txt, world.descriptions, every=REFRESH)
    opt = torch.optim.AdamW([*img.parameters(), *txt.parameters()], lr=3e-3, weight_decay=1e-3)

    txt.requires_grad_(False)
    running = 0.0
    for step in range(TOTAL):
        if step == STAGE1:
            print(f"stage 2: unfreezing text tower (acc {accuracy(img, bank, world):.3f})")
            txt.requires_grad_(True)

        x, y = world.batch(24)
        class_emb = bank.embeddings(step)  # <- culprit
        logits = img(x) @ class_emb.t() / 0.1
        loss = F.cross_entropy(logits, y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running = 0.95 * running + 0.05 * loss.item()
        if (step + 1) % 20 == 0:
            print(f"step {step + 1:3d} loss {running:.3f}")
    print(f"final acc {accuracy(img, bank, world):.3f}")


if __name__ == "__main__":
    main()
