# gradwatch-corpus: kind=none
"""Mean-teacher training on small voxel grids."""
import torch

from engine import MeanTeacherEngine
from engine import TeacherConfig
from plugins import EmaTeacher
from plugins import TopCheckpoints


def main():
    torch.manual_seed(44)
    cfg = TeacherConfig()
    ema = EmaTeacher(decay=0.98)
    keeper = TopCheckpoints(keep=3, every=10)
    engine = MeanTeacherEngine(cfg, [ema, keeper], teacher=ema)
    engine.run()
    print("kept", [(round(score, 4), step) for score, step, _ in keeper.kept])


if __name__ == "__main__":
    main()
