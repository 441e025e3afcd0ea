# gradwatch-corpus: kind=graph-held
# holder: log["loss"] | log
# about: autocast, gradient accumulation, a OneCycle schedule, and a log that adds tensors up
import torch
from torch import nn

ACCUMULATE = 2


def build():
    model = nn.Sequential(nn.Linear(16, 64), nn.LayerNorm(64), nn.ReLU(), nn.Linear(64, 4))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=60)
    return model, optimizer, schedule


def main():
    torch.manual_seed(0)
    model, optimizer, schedule = build()
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    log = {"loss": 0.0, "seen": 0}
    for micro in range(60 * ACCUMULATE):
        x = torch.randn(8, 16)
        y = x[:, :4].argmax(1)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = criterion(model(x), y)
        (loss / ACCUMULATE).backward()
        log["loss"] = log["loss"] + loss  # <- culprit
        log["seen"] += 1
        if (micro + 1) % ACCUMULATE == 0:
            nn.utils.clip_grad_value_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
        if (micro + 1) % 40 == 0:
            print(f"mean loss {float(log['loss']) / log['seen']:.4f}")


if __name__ == "__main__":
    main()
