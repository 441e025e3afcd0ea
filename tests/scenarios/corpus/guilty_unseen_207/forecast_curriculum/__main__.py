# gradwatch-corpus: kind=graph-held
# holder: self.trace | callback.trace | self.trace[self.level] | loop.callbacks[0].trace
# first-bad: 1
from .loop import Loop
from .curriculum import HorizonCurriculum
from .forecaster import Forecaster


def main():
    loop = Loop(Forecaster(max_horizon=12), callbacks=[HorizonCurriculum(threshold=0.15, patience=25)])
    loop.run(steps=500)


main()
