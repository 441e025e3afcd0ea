# gradwatch-corpus: kind=none
"""Train an LSTM optimizer on random least squares, truncated unrolls."""
import torch

from problem import LeastSquares
from rnn_opt import OptState, RNNOptimizer


def unroll(rule, problem, state, steps):
    losses = []
    for _ in range(steps):
        loss = problem(state.w)
        g, = torch.autograd.grad(loss, state.w, retain_graph=True)
        losses.append(loss)
        state = rule(state, g.detach())
    losses.append(problem(state.w))
    return torch.stack(losses).mean(), state


def main(iters=420, truncation=4, horizon=10):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    rule = RNNOptimizer()
    meta_opt = torch.optim.Adam(rule.parameters(), lr=2e-3)
    trajectory, state, problem = [], None, None
    for it in range(iters):
        if it % horizon == 0:
            problem = LeastSquares(gen)
            state = OptState.initial(problem.dim, rule.hidden)
            trajectory = []
        state = state.truncate()
        meta_loss, state = unroll(rule, problem, state, truncation)
        meta_opt.zero_grad()
        meta_loss.backward()
        torch.nn.utils.clip_grad_norm_(rule.parameters(), 1.0)
        meta_opt.step()
        trajectory.append(state)
        if it % horizon == horizon - 1 and it % 60 == 59:
            path = [round(problem(s.w).item(), 3) for s in trajectory[::3]]
            print(it, "path", path, flush=True)


if __name__ == "__main__":
    main()
