# gradwatch-corpus: kind=second-backward
# holder: self.bank | queue.bank | memory.bank | self.memory.bank | key | keys | self.memory.bank[i] | negatives | model.memory.bank
# first-bad: 30
# notice: 0
"""Contrastive pretraining on synthetic ECG windows.  In-batch negatives first, then the key memory."""
import torch

from ssl_kit.config import CONFIG
from ssl_kit.data import EcgWindows
from ssl_kit.model import MoCo


def main():
    torch.set_num_threads(1)
    torch.manual_seed(CONFIG.seed)
    data = EcgWindows(CONFIG.length, CONFIG.batch)
    model = MoCo(CONFIG)
    opt = torch.optim.AdamW(model.parameters(), lr=CONFIG.lr)
    running = None
    for it in range(CONFIG.iters):
        q_view, k_view = data.pair()
        loss, acc = model(q_view, k_view, it)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        model.momentum_update()
        running = loss.item() if running is None else 0.95 * running + 0.05 * loss.item()
        if it % 10 == 0:
            print(f"[{it:3d}] loss {running:.3f} top1 {acc:.2f}")


if __name__ == "__main__":
    main()
