# gradwatch-corpus: kind=none
import torch

from ultrasound import UltrasoundPool
from semi import MeanTeacher
from semi import SemiConfig


def main():
    config = SemiConfig()
    torch.manual_seed(config.seed)
    pool = UltrasoundPool(config)
    learner = MeanTeacher(config)
    for iteration in range(config.iterations):
        report = learner.iterate(pool.labelled(), pool.unlabelled())
        if iteration % 25 == 0:
            print(f"{iteration:3d} supervised {report.supervised:.4f} consistency {report.consistency:.5f}")
    best = max(learner.snapshots, key=lambda snapshot: snapshot["agreement"])
    learner.teacher.load_state_dict(best["weights"])
    print(f"kept the teacher of iteration {best['iteration']}")


if __name__ == "__main__":
    main()
