# gradwatch-corpus: kind=none
# about: the unrolled graph grows during the run because the forecast horizon is raised by a curriculum from 1 to 9 steps; every rollout starts from plain data
"""Storm tracks on a small vorticity grid: residual stepper trained on its own forecasts."""
import torch

from forecaster import Forecaster, unroll
from horizon import HorizonPlan
from weather import archive


def main():
    torch.manual_seed(88)
    net = Forecaster(channels=6)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-4)
    plan = HorizonPlan(first=1, last=9, hold=22)
    skill = {}
    for step, case in enumerate(archive(n=250, length=10)):
        lead = plan.at(step)
        states = unroll(net, case[0], lead)
        per_lead = [(s - truth).square().mean() for s, truth in zip(states, case[1:])]
        loss = sum(w * e for w, e in zip(plan.weights(lead), per_lead))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        with torch.no_grad():
            for hours, e in enumerate(per_lead, start=1):
                skill[hours] = 0.9 * skill.get(hours, e) + 0.1 * e
        if step % 25 == 0:
            print(step, "lead", lead, "loss %.4f" % loss.item(), "skill", [round(float(v), 4) for v in skill.values()][:3])


if __name__ == "__main__":
    main()
