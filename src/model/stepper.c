#include "model/stepper.h"

void stepper_init(Stepper *stepper, const Net *net, Arena *arena) {
  *stepper = (Stepper){0};
  net_vm(net, &stepper->vm, arena->mem);
  joint_init(&stepper->joint, net, arena);
}

void stepper_release(Stepper *stepper) {
  Mem *mem = stepper->vm.mem;
  vec_release(mem, &stepper->tests);
  vec_release(mem, &stepper->updates);
  joint_release(&stepper->joint);
  vm_release(&stepper->vm);
}
