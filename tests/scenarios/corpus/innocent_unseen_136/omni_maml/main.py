# gradwatch-corpus: kind=none
"""MAML on synthetic glyph classes: second-order inner loop, meta-batch of three tasks."""
import torch
import torch.nn.functional as F

from learner import Learner, fast_forward
from tasks import sample_task

torch.set_num_threads(1)


class Meta:
    def __init__(self, net, update_lr=0.2, meta_lr=3e-3, update_step=3):
        self.net = net
        self.update_lr = update_lr
        self.update_step = update_step
        self.opt = torch.optim.Adam(net.parameters(), lr=meta_lr)

    def inner(self, x_spt, y_spt):
        weights = list(self.net.parameters())
        path = [weights]
        for _ in range(self.update_step):
            loss = F.cross_entropy(fast_forward(x_spt, path[-1]), y_spt)
            grad = torch.autograd.grad(loss, path[-1], create_graph=True)
            path.append([w - self.update_lr * g for w, g in zip(path[-1], grad)])
        return path

    def __call__(self, batch):
        losses_q = [0.0 for _ in range(self.update_step + 1)]
        corrects = [0 for _ in range(self.update_step + 1)]
        n = 0
        for x_spt, y_spt, x_qry, y_qry in batch:
            for k, weights in enumerate(self.inner(x_spt, y_spt)):
                logits = fast_forward(x_qry, weights)
                losses_q[k] = losses_q[k] + F.cross_entropy(logits, y_qry)
                corrects[k] += (logits.argmax(1) == y_qry).sum().item()
            n += len(y_qry)
        loss_q = losses_q[-1] / len(batch)
        self.opt.zero_grad()
        loss_q.backward()
        self.opt.step()
        return [c / n for c in corrects]


def main():
    torch.manual_seed(222)
    maml = Meta(Learner(n_in=16, width=12, n_way=3))
    history = []
    for step in range(410):
        accs = maml([sample_task(n_way=3, k_spt=2, k_qry=4) for _ in range(3)])
        history.append(accs)
        if step % 100 == 0:
            print("step:", step, "training acc:", [round(a, 2) for a in accs])
    tail = torch.tensor(history[-50:]).mean(0)
    print("mean of last 50:", [round(v, 3) for v in tail.tolist()])


if __name__ == "__main__":
    main()
