# gradwatch-corpus: kind=none
# about: create_graph=True in every inner step and parameters kept as graph-carrying lists, rightly: each task's unrolled graph is walked by the outer backward and dropped
"""Few-shot calibration of pressure sensors: MAML with learned per-tensor inner rates (Meta-SGD)."""
import torch

try:
    from .meta import MetaCalibrator
    from .sensors import SensorPark
except ImportError:                       # python hollow_inner
    from meta import MetaCalibrator
    from sensors import SensorPark


def main(outer=300):
    torch.manual_seed(66)
    park = SensorPark(seed=8)
    meta = MetaCalibrator(hidden=32, inner_steps=2)
    opt = torch.optim.Adam(meta.parameters(), lr=3e-3)
    best, keep = float("inf"), None
    recent = []
    for it in range(outer):
        before = after = 0.0
        opt.zero_grad()
        for sensor in park.pick(3):
            support, query = sensor.measure(10), sensor.measure(15)
            start, adapted = meta.adapt_and_score(support, query)
            (adapted / 3).backward()
            before, after = before + start, after + adapted.item()
        opt.step()
        recent = (recent + [after / 3])[-30:]
        smooth = sum(recent) / len(recent)
        if smooth < best and it > 30:
            best, keep = smooth, {k: v.clone() for k, v in meta.state_dict().items()}
        if it % 50 == 49:
            print(f"outer {it + 1:4d}  before {before / 3:.4f}  after {smooth:.4f}  rates "
                  + " ".join(f"{r:.3f}" for r in meta.rates()))
    meta.load_state_dict(keep)
    print(f"best smoothed query error {best:.4f}")


if __name__ == "__main__":
    main()
