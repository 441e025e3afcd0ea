import torch

from tasks import LogisticTask


def meta_train(rule, episodes, horizon, unroll):
    adam = torch.optim.Adam(rule.parameters(), lr=3e-3)
    finals = []
    for ep in range(episodes):
        task = LogisticTask()
        w, state = task.start(), rule.fresh_state(task.dim)
        window = []
        for k in range(1, horizon + 1):
            loss = task.loss(w)
            (g,) = torch.autograd.grad(loss, w)
            delta, state = rule(g.detach(), state)
            w = w + delta
            window.append(task.loss(w))
            if k % unroll == 0:
                adam.zero_grad()
                torch.stack(window).sum().backward()
                adam.step()
                finals_candidate = window[-1].item()
                window.clear()
                w = w.detach().requires_grad_()
                state = tuple(s.detach() for s in state)
        finals.append(finals_candidate)
        if ep % 30 == 0:
            print("episode", ep, round(finals_candidate, 4))
    return finals
