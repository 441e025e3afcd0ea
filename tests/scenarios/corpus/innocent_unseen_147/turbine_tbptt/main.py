# gradwatch-corpus: kind=none
import torch

from scada import TurbineFarm
from supervisor import TurbineSupervisor

torch.set_num_threads(1)
torch.manual_seed(14)

supervisor = TurbineSupervisor(TurbineFarm(["T1", "T2", "T3"]))

if __name__ == "__main__":
    supervisor.run(shifts=250)
    print({k: round(v, 4) for k, v in supervisor.score.items()})
