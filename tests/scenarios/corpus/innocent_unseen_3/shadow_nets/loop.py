import torch
import torch.nn.functional as F


def stream(plan, seed):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(plan.inputs, 3, generator=g) / 4
    while True:
        x = torch.randn(plan.rows, plan.inputs, generator=g)
        h = x @ w
        yield x, torch.sin(h[:, 0]) + h[:, 1] * h[:, 2]


def fit(net, plan):
    opt = torch.optim.AdamW(net.parameters(), lr=plan.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, plan.lr * 2, total_steps=plan.batches)
    feed, held_out = stream(plan, 1), stream(plan, 1)
    for n, (x, y) in zip(range(plan.batches), feed):
        net.train()
        huber = F.smooth_l1_loss(net(x), y)
        opt.zero_grad()
        huber.backward()
        opt.step()
        sched.step()
        if n % 55 == 54:
            net.eval()
            with torch.inference_mode():
                xs, ys = next(held_out)
                gap = F.smooth_l1_loss(net(xs), ys)
            print(f"batch {n + 1} train {huber.item():.4f} held out {gap.item():.4f} lr {sched.get_last_lr()[0]:.2e}")
