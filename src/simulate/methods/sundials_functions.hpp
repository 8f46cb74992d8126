#pragma once

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "expr/late_library.hpp"

/// SUNDIALS is opened with the first method that is of it.
namespace liaison {

inline constexpr late::Module sundials_module{"liaison_sundials.so", "holds the methods of SUNDIALS",
                                              "`--integrator dop853` and `taylor` run without it"};

LIAISON_LATE(sundials_module, ARKodeButcherTable_Alloc);
LIAISON_LATE(sundials_module, ARKodeButcherTable_Free);
LIAISON_LATE(sundials_module, ARKodeButcherTable_LoadERK);
LIAISON_LATE(sundials_module, CVode);
LIAISON_LATE(sundials_module, CVodeCreate);
LIAISON_LATE(sundials_module, CVodeFree);
LIAISON_LATE(sundials_module, CVodeGetDky);
LIAISON_LATE(sundials_module, CVodeGetNumErrTestFails);
LIAISON_LATE(sundials_module, CVodeGetNumStepSolveFails);
LIAISON_LATE(sundials_module, CVodeInit);
LIAISON_LATE(sundials_module, CVodeReInit);
LIAISON_LATE(sundials_module, CVodeSStolerances);
LIAISON_LATE(sundials_module, CVodeSetErrHandlerFn);
LIAISON_LATE(sundials_module, CVodeSetInitStep);
LIAISON_LATE(sundials_module, CVodeSetJacFn);
LIAISON_LATE(sundials_module, CVodeSetLinearSolver);
LIAISON_LATE(sundials_module, CVodeSetMaxErrTestFails);
LIAISON_LATE(sundials_module, CVodeSetNonlinearSolver);
LIAISON_LATE(sundials_module, CVodeSetProjErrEst);
LIAISON_LATE(sundials_module, CVodeSetProjFn);
LIAISON_LATE(sundials_module, CVodeSetStopTime);
LIAISON_LATE(sundials_module, CVodeSetUserData);
LIAISON_LATE(sundials_module, ERKStepCreate);
LIAISON_LATE(sundials_module, ERKStepEvolve);
LIAISON_LATE(sundials_module, ERKStepFree);
LIAISON_LATE(sundials_module, ERKStepGetCurrentStep);
LIAISON_LATE(sundials_module, ERKStepGetNumErrTestFails);
LIAISON_LATE(sundials_module, ERKStepReInit);
LIAISON_LATE(sundials_module, ERKStepReset);
LIAISON_LATE(sundials_module, ERKStepSStolerances);
LIAISON_LATE(sundials_module, ERKStepSetErrHandlerFn);
LIAISON_LATE(sundials_module, ERKStepSetFixedStep);
LIAISON_LATE(sundials_module, ERKStepSetInitStep);
LIAISON_LATE(sundials_module, ERKStepSetInterpolantDegree);
LIAISON_LATE(sundials_module, ERKStepSetMaxErrTestFails);
LIAISON_LATE(sundials_module, ERKStepSetStopTime);
LIAISON_LATE(sundials_module, ERKStepSetTable);
LIAISON_LATE(sundials_module, ERKStepSetUserData);
LIAISON_LATE(sundials_module, IDACreate);
LIAISON_LATE(sundials_module, IDAFree);
LIAISON_LATE(sundials_module, IDAGetDky);
LIAISON_LATE(sundials_module, IDAGetNumErrTestFails);
LIAISON_LATE(sundials_module, IDAGetNumStepSolveFails);
LIAISON_LATE(sundials_module, IDAInit);
LIAISON_LATE(sundials_module, IDAReInit);
LIAISON_LATE(sundials_module, IDASetErrHandlerFn);
LIAISON_LATE(sundials_module, IDASetId);
LIAISON_LATE(sundials_module, IDASetInitStep);
LIAISON_LATE(sundials_module, IDASetJacFn);
LIAISON_LATE(sundials_module, IDASetLinearSolver);
LIAISON_LATE(sundials_module, IDASetMaxErrTestFails);
LIAISON_LATE(sundials_module, IDASetNonlinConvCoef);
LIAISON_LATE(sundials_module, IDASetStopTime);
LIAISON_LATE(sundials_module, IDASetSuppressAlg);
LIAISON_LATE(sundials_module, IDASetUserData);
LIAISON_LATE(sundials_module, IDASolve);
LIAISON_LATE(sundials_module, IDAWFtolerances);
LIAISON_LATE(sundials_module, N_VDestroy);
LIAISON_LATE(sundials_module, N_VGetArrayPointer);
LIAISON_LATE(sundials_module, N_VNew_Serial);
LIAISON_LATE(sundials_module, SUNContext_Create);
LIAISON_LATE(sundials_module, SUNContext_Free);
LIAISON_LATE(sundials_module, SUNDenseMatrix);
LIAISON_LATE(sundials_module, SUNDenseMatrix_Column);
LIAISON_LATE(sundials_module, SUNLinSolFree);
LIAISON_LATE(sundials_module, SUNLinSol_Dense);
LIAISON_LATE(sundials_module, SUNMatDestroy);
LIAISON_LATE(sundials_module, SUNMatZero);
LIAISON_LATE(sundials_module, SUNNonlinSolFree);
LIAISON_LATE(sundials_module, SUNNonlinSol_FixedPoint);

}  // namespace liaison
