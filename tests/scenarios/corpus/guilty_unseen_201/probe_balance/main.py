# gradwatch-corpus: kind=graph-chain
# holder: self.running | weigher.running
# first-bad: 1
import torch

from probes import LinearProbes, probe_data
from weighing import RelativeWeigher


def main():
    torch.manual_seed(112)
    feats, targets = probe_data(2000, dim=24, tasks=(3, 5, 2))
    probes = LinearProbes(24, (3, 5, 2))
    weigher = RelativeWeigher(tasks=3, momentum=0.9)
    opt = torch.optim.Adam(probes.parameters(), lr=2e-3)
    correct = torch.zeros(3)
    for step in range(420):
        idx = torch.randint(0, len(feats), (48,))
        logits = probes(feats[idx])
        losses = probes.losses(logits, [t[idx] for t in targets])
        loss = weigher.combine(losses)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        with torch.no_grad():
            for k, (z, t) in enumerate(zip(logits, targets)):
                correct[k] += (z.argmax(1) == t[idx]).float().mean()
        if step % 70 == 69:
            print(step + 1, f"loss {loss.item():.4f}", "acc", [round(c, 3) for c in (correct / 70).tolist()])
            correct.zero_()


if __name__ == "__main__":
    main()
