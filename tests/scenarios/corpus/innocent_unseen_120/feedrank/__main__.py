# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from feedrank.surgery import project_conflicts
from feedrank.towers import Ranker, SessionLog


def epoch_pass(model, log, opt, batch=32):
    curve = []
    for rows in torch.randperm(len(log)).split(batch):
        user, item, click, dwell = log[rows]
        model.begin_batch()
        p_click, p_dwell = model(user, item)
        losses = (
            torch.nn.functional.binary_cross_entropy_with_logits(p_click, click),
            torch.nn.functional.mse_loss(p_dwell, dwell),
        )
        opt.zero_grad()
        angle = project_conflicts(losses, list(model.shared()), list(model.heads()))
        opt.step()
        curve.append((losses[0] + losses[1], angle))
    mean = torch.stack([c for c, _ in curve]).mean().item()
    return mean, sum(a < 0 for _, a in curve) / len(curve)


def main():
    torch.manual_seed(52)
    log = SessionLog(rows=448, users=30, items=50)
    model = Ranker(30, 50)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(40):
        loss, conflicts = epoch_pass(model, log, opt)
        if epoch % 8 == 7:
            print(f"epoch {epoch + 1}: loss {loss:.4f}, tasks at odds in {conflicts:.0%} of batches")


main()
