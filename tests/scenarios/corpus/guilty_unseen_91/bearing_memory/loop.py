import torch
from torch import nn

SETTLE = 26  # keys are only worth storing once the encoder has settled


def run(model, source, steps, report):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for step in range(steps):
        wave, fault = source.draw(32)
        logits, query = model(wave)
        if step >= SETTLE:
            model.memory.write(query, fault)  # <- culprit
        loss = nn.functional.cross_entropy(logits, fault)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % report == 0:
            acc = (logits.argmax(1) == fault).float().mean().item()
            print(f"{step:4d} loss {loss.item():.3f} acc {acc:.2f}")
