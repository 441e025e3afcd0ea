# gradwatch-corpus: kind=none
import torch

from .model import GatedMemoryLM
from .text import endless

torch.set_num_threads(1)
torch.manual_seed(1)

SPAN = 4


def train(steps):
    lm = GatedMemoryLM(vocab=17, d=20)
    opt = torch.optim.AdamW(lm.parameters(), lr=4e-3)
    chunks = endless(17, batch=4, seg=5)
    memory = lm.blank(4)
    for step in range(steps):
        total = 0
        for _ in range(SPAN):
            src, tgt = next(chunks)
            loss, memory = lm(src, tgt, memory)
            total = total + loss / SPAN
        opt.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        opt.step()
        memory = tuple(m.detach() for m in memory)
        if step % 100 == 0:
            print(step, f"{total.item():.3f}", f"eval {evaluate(lm, memory):.3f}")


@torch.no_grad()
def evaluate(lm, memory):
    out = []
    for _, (src, tgt) in zip(range(5), endless(17, 4, 5)):
        loss, memory = lm(src, tgt, memory)
        out.append(loss)
    return torch.stack(out).mean().item()


train(450)
