# gradwatch-corpus: kind=none
import torch

from plan import Curriculum
from rollout import Dynamics, pendulum


def main(updates=420):
    torch.manual_seed(90)
    model = Dynamics()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    plan = Curriculum([(0, 1), (20, 3), (40, 6), (60, 9), (80, 12)])
    gen = torch.Generator().manual_seed(91)
    for update in range(updates):
        if plan.enter(update):
            print(f"phase {plan.phase}: horizon {plan.horizon}, {plan.digest()}")
        truth = pendulum(24, plan.horizon + 1, gen)
        state = truth[0]
        errors = []
        for k in range(plan.horizon):
            state = state + model(state)
            errors.append((state - truth[k + 1]).pow(2).mean())
        loss = torch.stack(errors).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        plan.log(loss)


if __name__ == "__main__":
    main()
