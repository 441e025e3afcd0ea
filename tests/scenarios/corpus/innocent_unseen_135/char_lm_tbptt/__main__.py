# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from .data import ContiguousBatches, synth_text
from .lstm import CharLM, repackage


def main():
    torch.manual_seed(1)
    vocab, ids = synth_text(6000)
    lm = CharLM(vocab)
    opt = torch.optim.Adam(lm.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 600)
    batches = ContiguousBatches(ids, rows=6, bptt=10)
    step = 0
    while step < 600:
        state, nats, seen = lm.init_state(6), 0.0, 0
        for x, y in batches:
            state = repackage(state)
            logits, state = lm(x, state)
            loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(lm.parameters(), 0.5)
            opt.step()
            sched.step()
            step += 1
            nats += loss.item()
            seen += 1
        print(f"step {step} nats {nats / seen:.3f}")


main()
