import torch
import torch.nn.functional as F


def windows(source, bptt):
    for i in range(0, source.size(0) - 1, bptt):
        n = min(bptt, source.size(0) - 1 - i)
        yield source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


def train_epoch(model, source, opt, bptt, clip):
    model.train()
    model.reset(source.size(1))
    for step, (x, y) in enumerate(windows(source, bptt)):
        opt.zero_grad()
        logits = model(x)  # <- culprit
        loss = F.cross_entropy(logits.view(len(y), -1), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        opt.step()
        if step % 20 == 0:
            print(f"  step {step} loss {loss.item():.3f}", flush=True)


@torch.no_grad()
def evaluate(model, source, bptt):
    model.eval()
    model.reset(source.size(1))
    tot, n = 0.0, 0
    for x, y in windows(source, bptt):
        tot += F.cross_entropy(model(x).view(len(y), -1), y, reduction="sum").item()
        n += len(y)
    return tot / n
