# gradwatch-corpus: kind=none
"""Few-shot calibration of sundials: MAML over dials with unknown latitude, tilt and declination."""
import torch

from dials import DialFamily
from inner import Adapter
from shadow import init_params, shadow_angle
from archive import Archive

torch.set_num_threads(1)


def main(outer_steps=300, tasks_per_step=3):
    torch.manual_seed(1512)
    family = DialFamily(seed=1513)
    meta = init_params(n_in=3, width=20)
    adapter = Adapter(shadow_angle, n_inner=2)
    opt = torch.optim.Adam(list(meta.values()) + adapter.parameters(), lr=3e-3)
    archive = Archive()

    for step in range(outer_steps):
        total = 0.0
        for dial in family.draw(tasks_per_step):
            fast = adapter.adapt(meta, *dial.readings(10))
            hours, angle = dial.readings(20)
            query = (shadow_angle(fast, hours) - angle).pow(2).mean()
            total = total + query
            archive.store(dial, fast, query)
        loss = total / tasks_per_step
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 60 == 0:
            print(f"outer {step:3d}  query {loss.item():.4f}  inner lr {adapter.rates()}")

    print(archive.describe())


if __name__ == "__main__":
    main()
